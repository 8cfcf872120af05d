//! Writes the AMM's JSON schema into the folder `schema` of the working directory.

use amm_api::msg::{ExecuteMsg, InstantiateMsg, QueryMsg};
use cosmwasm_schema::write_api;

fn main() {
    write_api! { name: "amm", instantiate: InstantiateMsg, execute: ExecuteMsg, query: QueryMsg }
}
