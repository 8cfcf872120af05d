//! A simulated chain with the launchpad, the exchange pool and cw20-base on it, and short verbs to use them.

use amm_api::msg as amm_msg;
use cosmwasm_schema::cw_serde;
use cosmwasm_std::{coins, to_json_binary, Addr, Coin, Decimal, Uint128};
use cw20::{BalanceResponse, Cw20ExecuteMsg, Cw20QueryMsg, TokenInfoResponse};
use cw_multi_test::{no_init, App, AppBuilder, AppResponse, Contract, ContractWrapper, Executor, MockApiBech32};
use launchpad_api::msg as pad_msg;
use launchpad_api::msg::OnGraduation;

pub type CoinApp = App<cw_multi_test::BankKeeper, MockApiBech32>;
/// What a message did, or every layer of its error in one line.
pub type Outcome = Result<AppResponse, String>;

pub const DENOM: &str = "ucoin";
/// Creation fee, threshold, curve and pool supply of the service document.
pub const F: u128 = 80_000_000_000;
pub const R: u128 = 10_000_000_000_000;
pub const B: u128 = R - F;
pub const T: u128 = 79_310_000_000_000;
pub const P: u128 = 20_690_000_000_000;
/// The smallest buy that graduates a fresh curve.
pub const GROSS_TO_GRADUATE: u128 = 9_969_849_246_232;
/// What each trader owns at first: 10^9 COIN.
pub const PURSE: u128 = 1_000_000_000_000_000;

pub struct World {
    pub app: CoinApp,
    pub cw20_code: u64,
    pub launchpad: Addr,
    pub amm: Addr,
    pub admin: Addr,
    pub oracle: Addr,
    pub treasury: Addr,
    pub listing: Addr,
    pub creator: Addr,
    pub alice: Addr,
    pub bob: Addr,
}

fn launchpad_code() -> Box<dyn Contract<cosmwasm_std::Empty>> {
    let wrapper = ContractWrapper::new(launchpad::contract::execute, launchpad::contract::instantiate, launchpad::contract::query);
    Box::new(wrapper.with_reply(launchpad::contract::reply))
}

fn amm_code() -> Box<dyn Contract<cosmwasm_std::Empty>> {
    Box::new(ContractWrapper::new(amm::contract::execute, amm::contract::instantiate, amm::contract::query))
}

pub fn cw20_code() -> Box<dyn Contract<cosmwasm_std::Empty>> {
    Box::new(ContractWrapper::new(cw20_base::contract::execute, cw20_base::contract::instantiate, cw20_base::contract::query))
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

impl World {
    /// With the service document's parameters.
    pub fn new() -> World {
        World::with_params(None)
    }

    pub fn with_params(params: Option<pad_msg::LaunchParams>) -> World {
        let mut world = World::without_amm(params);
        let amm = world.amm.to_string();
        let admin = world.admin.clone();
        let msg = pad_msg::ExecuteMsg::UpdateConfig { admin: None, amm: Some(amm), oracle: None, fee_collector: None, params: None };
        world.tell_launchpad(&admin, &msg, &[]).unwrap();
        world
    }

    /// The launchpad does not know its pool contract yet.
    pub fn without_amm(params: Option<pad_msg::LaunchParams>) -> World {
        let api = MockApiBech32::new("coin");
        let name = |text: &str| api.addr_make(text);
        let [admin, oracle, treasury, listing] = ["admin", "oracle", "treasury", "listing"].map(name);
        let [creator, alice, bob] = ["creator", "alice", "bob"].map(name);
        let rich = [creator.clone(), alice.clone(), bob.clone(), listing.clone()];
        let mut app = AppBuilder::new().with_api(api).build(no_init);
        app.init_modules(|router, _, storage| {
            for who in &rich {
                router.bank.init_balance(storage, who, vec![Coin::new(PURSE, DENOM), Coin::new(PURSE, "uother")]).unwrap();
            }
        });
        let cw20_code = app.store_code(cw20_code());
        let pad_code = app.store_code(launchpad_code());
        let pool_code = app.store_code(amm_code());
        let pad = pad_msg::InstantiateMsg {
            admin: None,
            cw20_code_id: cw20_code,
            oracle: Some(oracle.to_string()),
            fee_collector: Some(treasury.to_string()),
            coin_denom: None,
            params,
        };
        let launchpad = app.instantiate_contract(pad_code, admin.clone(), &pad, &[], "launchpad", None).unwrap();
        let pool = amm_msg::InstantiateMsg {
            admin: None,
            launchpad: launchpad.to_string(),
            listing: Some(listing.to_string()),
            coin_denom: None,
            base_fee_bps: None,
            augmented_fee_bps: None,
        };
        let amm = app.instantiate_contract(pool_code, admin.clone(), &pool, &[], "amm", None).unwrap();
        World { app, cw20_code, launchpad, amm, admin, oracle, treasury, listing, creator, alice, bob }
    }

    pub fn tell(&mut self, contract: &Addr, who: &Addr, msg: &impl serde_like::Message, funds: &[Coin]) -> Outcome {
        msg.send(&mut self.app, contract, who, funds)
    }

    pub fn tell_launchpad(&mut self, who: &Addr, msg: &pad_msg::ExecuteMsg, funds: &[Coin]) -> Outcome {
        let contract = self.launchpad.clone();
        self.tell(&contract, who, msg, funds)
    }

    pub fn tell_amm(&mut self, who: &Addr, msg: &amm_msg::ExecuteMsg, funds: &[Coin]) -> Outcome {
        let contract = self.amm.clone();
        self.tell(&contract, who, msg, funds)
    }

    pub fn try_create(&mut self, paid: u128, edit: impl FnOnce(&mut Launch)) -> Outcome {
        let mut launch = Launch::default();
        edit(&mut launch);
        let creator = self.creator.clone();
        self.tell_launchpad(&creator, &launch.message(), &ucoin(paid))
    }

    /// A token launched by the creator, without a first buy.
    pub fn create(&mut self) -> Addr {
        let outcome = self.try_create(F, |_| {}).unwrap();
        Addr::unchecked(attribute(&outcome, "wasm-create_token", "token_address"))
    }

    pub fn buy(&mut self, who: &Addr, token: &Addr, amount: u128) -> Outcome {
        self.buy_with(who, token, amount, None, OnGraduation::Swap)
    }

    pub fn buy_with(&mut self, who: &Addr, token: &Addr, amount: u128, minimum: Option<u128>, then: OnGraduation) -> Outcome {
        let msg = pad_msg::ExecuteMsg::Buy {
            token_address: token.to_string(),
            min_tokens_out: minimum.map(Uint128::new),
            deadline: None,
            on_graduation: Some(then),
        };
        self.tell_launchpad(who, &msg, &ucoin(amount))
    }

    /// CW20 `Send` with a JSON message inside.
    pub fn send(&mut self, who: &Addr, token: &Addr, to: &Addr, amount: u128, json: &str) -> Outcome {
        let msg = json.as_bytes().into();
        let msg = Cw20ExecuteMsg::Send { contract: to.to_string(), amount: Uint128::new(amount), msg };
        self.tell(token, who, &msg, &[])
    }

    pub fn sell(&mut self, who: &Addr, token: &Addr, amount: u128) -> Outcome {
        let to = self.launchpad.clone();
        self.send(who, token, &to, amount, r#"{"sell_tokens":{}}"#)
    }

    pub fn swap_coin(&mut self, who: &Addr, token: &Addr, amount: u128) -> Outcome {
        let msg = amm_msg::ExecuteMsg::Swap { token_address: token.to_string(), min_tokens_out: None, deadline: None, recipient: None };
        self.tell_amm(who, &msg, &ucoin(amount))
    }

    pub fn swap_token(&mut self, who: &Addr, token: &Addr, amount: u128) -> Outcome {
        let to = self.amm.clone();
        self.send(who, token, &to, amount, r#"{"swap_token_for_bwick":{}}"#)
    }

    /// A token whose curve has just graduated by Alice's exact buy.
    pub fn graduated(&mut self) -> Addr {
        let token = self.create();
        let alice = self.alice.clone();
        self.buy(&alice, &token, GROSS_TO_GRADUATE).unwrap();
        token
    }

    pub fn set_price(&mut self, coin_usd: Decimal) -> Outcome {
        let oracle = self.oracle.clone();
        self.tell_launchpad(&oracle, &pad_msg::ExecuteMsg::UpdatePrice { coin_usd }, &[])
    }

    pub fn coin_of(&self, who: &Addr) -> u128 {
        self.app.wrap().query_balance(who, DENOM).unwrap().amount.u128()
    }

    pub fn tokens_of(&self, who: &Addr, token: &Addr) -> u128 {
        let query = Cw20QueryMsg::Balance { address: who.to_string() };
        let answer: BalanceResponse = self.app.wrap().query_wasm_smart(token, &query).unwrap();
        answer.balance.u128()
    }

    pub fn token_info(&self, token: &Addr) -> TokenInfoResponse {
        self.app.wrap().query_wasm_smart(token, &Cw20QueryMsg::TokenInfo {}).unwrap()
    }

    pub fn ask_launchpad<A: serde_like::Answer>(&self, query: &pad_msg::QueryMsg) -> Result<A, String> {
        self.app.wrap().query_wasm_smart(&self.launchpad, query).map_err(|e| e.to_string())
    }

    pub fn ask_amm<A: serde_like::Answer>(&self, query: &amm_msg::QueryMsg) -> Result<A, String> {
        self.app.wrap().query_wasm_smart(&self.amm, query).map_err(|e| e.to_string())
    }

    pub fn curve(&self, token: &Addr) -> pad_msg::CurveResponse {
        self.ask_launchpad(&pad_msg::QueryMsg::Curve { token_address: token.to_string() }).unwrap()
    }

    pub fn pool(&self, token: &Addr) -> amm_msg::PoolResponse {
        self.ask_amm(&amm_msg::QueryMsg::Pool { token_address: token.to_string() }).unwrap()
    }

    pub fn fees(&self, token: &Addr) -> pad_msg::FeesResponse {
        self.ask_launchpad(&pad_msg::QueryMsg::Fees { token_address: token.to_string() }).unwrap()
    }

    pub fn treasury_fees(&self) -> pad_msg::TreasuryResponse {
        self.ask_launchpad(&pad_msg::QueryMsg::Treasury {}).unwrap()
    }

    pub fn simulate_buy(&self, token: &Addr, amount: u128, then: OnGraduation) -> Result<pad_msg::SimulateBuyResponse, String> {
        let coin_amount = Uint128::new(amount);
        self.ask_launchpad(&pad_msg::QueryMsg::SimulateBuy { token_address: token.to_string(), coin_amount, on_graduation: Some(then) })
    }

    pub fn simulate_sell(&self, token: &Addr, amount: u128) -> Result<pad_msg::SimulateSellResponse, String> {
        let token_amount = Uint128::new(amount);
        self.ask_launchpad(&pad_msg::QueryMsg::SimulateSell { token_address: token.to_string(), token_amount })
    }

    pub fn simulate_swap(
        &self,
        token: &Addr,
        direction: amm_msg::Direction,
        amount: u128,
    ) -> Result<amm_msg::SimulateSwapResponse, String> {
        let amount = Uint128::new(amount);
        self.ask_amm(&amm_msg::QueryMsg::SimulateSwap { token_address: token.to_string(), direction, amount })
    }
}

/// What a test launches when it does not care.
#[cw_serde]
pub struct Launch {
    pub name: String,
    pub symbol: String,
    pub description: Option<String>,
    pub image: Option<String>,
    pub social_links: Option<Vec<pad_msg::SocialLink>>,
    pub min_tokens_out: Option<Uint128>,
    pub deadline: Option<u64>,
    pub on_graduation: Option<OnGraduation>,
}

impl Default for Launch {
    fn default() -> Self {
        let (name, symbol) = ("Example".to_string(), "EXAMPLE".to_string());
        Launch {
            name,
            symbol,
            description: None,
            image: None,
            social_links: None,
            min_tokens_out: None,
            deadline: None,
            on_graduation: None,
        }
    }
}

impl Launch {
    fn message(self) -> pad_msg::ExecuteMsg {
        let Launch { name, symbol, description, image, social_links, min_tokens_out, deadline, on_graduation } = self;
        pad_msg::ExecuteMsg::CreateToken { name, symbol, description, image, social_links, min_tokens_out, deadline, on_graduation }
    }
}

/// Messages and answers that the simulated chain can carry.
pub mod serde_like {
    use super::*;

    pub trait Message {
        fn send(&self, app: &mut CoinApp, contract: &Addr, who: &Addr, funds: &[Coin]) -> Outcome;
    }

    macro_rules! message {
        ($($kind:ty),*) => {$(
            impl Message for $kind {
                fn send(&self, app: &mut CoinApp, contract: &Addr, who: &Addr, funds: &[Coin]) -> Outcome {
                    app.execute_contract(who.clone(), contract.clone(), self, funds).map_err(|e| format!("{e:#}"))
                }
            }
        )*};
    }
    message!(pad_msg::ExecuteMsg, amm_msg::ExecuteMsg, Cw20ExecuteMsg);

    pub trait Answer: for<'a> cosmwasm_schema::serde::Deserialize<'a> {}
    impl<A: for<'a> cosmwasm_schema::serde::Deserialize<'a>> Answer for A {}
}

pub fn ucoin(amount: u128) -> Vec<Coin> {
    if amount == 0 {
        return vec![];
    }
    coins(amount, DENOM)
}

/// A CW20 `Receive` as a token contract would send it.
pub fn received(sender: &Addr, amount: u128, msg: &impl cosmwasm_schema::serde::Serialize) -> cw20::Cw20ReceiveMsg {
    cw20::Cw20ReceiveMsg { sender: sender.to_string(), amount: Uint128::new(amount), msg: to_json_binary(msg).unwrap() }
}

/// The value of one attribute of the first event of that type.
pub fn attribute(outcome: &AppResponse, event: &str, key: &str) -> String {
    let found = outcome.events.iter().find(|e| e.ty == event).unwrap_or_else(|| panic!("no event {event}: {:?}", outcome.events));
    let attribute = found.attributes.iter().find(|a| a.key == key).unwrap_or_else(|| panic!("{event} has no {key}: {found:?}"));
    attribute.value.clone()
}

/// Types of the contracts' own events, in order.
pub fn event_types(outcome: &AppResponse) -> Vec<&str> {
    outcome.events.iter().map(|e| e.ty.as_str()).filter(|ty| ty.starts_with("wasm-")).collect()
}

#[track_caller]
pub fn fails_with(outcome: Outcome, text: &str) {
    match outcome {
        Ok(_) => panic!("should have failed with: {text}"),
        Err(error) => assert!(error.contains(text), "failed with: {error}\nand not with: {text}"),
    }
}

impl World {
    /// How many curves there are, at most 100.
    pub fn curve_count(&self) -> usize {
        let query = pad_msg::QueryMsg::Curves { start_after: None, limit: Some(100), order: None, creator: None };
        let answer: pad_msg::CurvesResponse = self.ask_launchpad(&query).unwrap();
        answer.curves.len()
    }
}

/// Plain transfers of the native coin.
pub trait Transfers {
    fn send_tokens_by(&mut self, from: &Addr, to: &Addr, amount: u128);
}

impl Transfers for CoinApp {
    fn send_tokens_by(&mut self, from: &Addr, to: &Addr, amount: u128) {
        self.send_tokens(from.clone(), to.clone(), &ucoin(amount)).unwrap();
    }
}
