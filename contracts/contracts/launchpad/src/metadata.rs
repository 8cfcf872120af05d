//! What a token may be called, and what its CW20 contract is told.

use cosmwasm_schema::cw_serde;
use cw20::Logo;
use cw20_base::msg::InstantiateMarketingInfo;
use launchpad_api::msg::{Metadata, SocialLink};

use crate::error::ContractError;

/// What a creator says about a token, before it is checked.
#[cw_serde]
pub struct Description {
    pub name: String,
    pub symbol: String,
    pub description: Option<String>,
    pub image: Option<String>,
    pub social_links: Option<Vec<SocialLink>>,
}

const NAME_CHARS_MAX: usize = 32;
const DESCRIPTION_BYTES_MAX: usize = 1_000;
const URL_BYTES_MAX: usize = 512;
const LINKS_MAX: usize = 8;
const LABEL_BYTES_MAX: usize = 32;
const URL_SCHEMES: [&str; 3] = ["https://", "http://", "ipfs://"];

/// cw20-base takes names of 3 to 50 bytes and symbols of 3 to 12 letters or dashes.
const CW20_NAME_BYTES_MAX: usize = 50;
const CW20_LENGTH_MIN: usize = 3;

fn invalid(field: &'static str, reason: impl Into<String>) -> ContractError {
    ContractError::InvalidMetadata { field, reason: reason.into() }
}

fn check_url(field: &'static str, url: &str) -> Result<(), ContractError> {
    if url.len() > URL_BYTES_MAX {
        return Err(invalid(field, format!("a URL has at most {URL_BYTES_MAX} bytes, this one {}", url.len())));
    }
    let known = URL_SCHEMES.iter().any(|scheme| url.len() > scheme.len() && url.starts_with(scheme));
    if !known || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err(invalid(field, "a URL starts with https://, http:// or ipfs:// and has no blanks"));
    }
    Ok(())
}

/// Checks a description by the launchpad's rules and gives the form that is kept.
pub fn check(given: Description) -> Result<Metadata, ContractError> {
    let characters = given.name.chars().count();
    if characters == 0 || characters > NAME_CHARS_MAX {
        return Err(invalid("name", format!("1 to {NAME_CHARS_MAX} characters, got {characters}")));
    }
    if given.name.trim().is_empty() || given.name.chars().any(char::is_control) {
        return Err(invalid("name", "it must be readable: no control characters, and not only blanks"));
    }
    let symbol = given.symbol.as_bytes();
    if !(2..=12).contains(&symbol.len()) || !symbol.iter().all(u8::is_ascii_alphanumeric) {
        return Err(invalid("symbol", "2 to 12 of A-Z, a-z, 0-9"));
    }
    let description = given.description.unwrap_or_default();
    if description.len() > DESCRIPTION_BYTES_MAX {
        return Err(invalid("description", format!("at most {DESCRIPTION_BYTES_MAX} bytes, got {}", description.len())));
    }
    let image = given.image.unwrap_or_default();
    if !image.is_empty() {
        check_url("image", &image)?;
    }
    let social_links = given.social_links.unwrap_or_default();
    if social_links.len() > LINKS_MAX {
        return Err(invalid("social_links", format!("at most {LINKS_MAX}, got {}", social_links.len())));
    }
    for link in &social_links {
        if link.label.is_empty() || link.label.len() > LABEL_BYTES_MAX || link.label.chars().any(char::is_control) {
            return Err(invalid("social_links", format!("a label has 1 to {LABEL_BYTES_MAX} bytes and no control characters")));
        }
        check_url("social_links", &link.url)?;
    }
    Ok(Metadata { name: given.name, symbol: given.symbol, image, description, social_links })
}

/// The name as cw20-base takes it: the name itself whenever it has 3 to 50 bytes.
///
/// A shorter one gets " token" behind it, a longer one is cut at a character and ends in an ellipsis. The launchpad's
/// own metadata always has the name as given.
pub fn cw20_name(name: &str) -> String {
    if name.len() < CW20_LENGTH_MIN {
        return format!("{name} token");
    }
    if name.len() <= CW20_NAME_BYTES_MAX {
        return name.to_string();
    }
    let ellipsis = '…';
    let mut cut = String::new();
    for character in name.chars() {
        if cut.len() + character.len_utf8() + ellipsis.len_utf8() > CW20_NAME_BYTES_MAX {
            break;
        }
        cut.push(character);
    }
    cut.push(ellipsis);
    cut
}

/// The symbol as cw20-base takes it: the symbol itself whenever it has 3 to 12 letters.
///
/// cw20-base knows no digits, so each is written as the letter that looks like it (`A1` becomes `AI-`), and two letters
/// get a dash behind them. The launchpad's own metadata always has the symbol as given.
pub fn cw20_symbol(symbol: &str) -> String {
    let look_alike = |c: char| match c {
        '0' => 'O',
        '1' => 'I',
        '2' => 'Z',
        '3' => 'E',
        '4' => 'A',
        '5' => 'S',
        '6' => 'G',
        '7' => 'T',
        '8' => 'B',
        '9' => 'P',
        letter => letter,
    };
    let letters: String = symbol.chars().map(look_alike).collect();
    format!("{letters:-<width$}", width = CW20_LENGTH_MIN)
}

/// Marketing info of the CW20, so that wallets show image and description. The creator may change it later.
pub fn marketing(metadata: &Metadata, creator: &str) -> InstantiateMarketingInfo {
    let text = |value: &str| (!value.is_empty()).then(|| value.to_string());
    InstantiateMarketingInfo {
        project: metadata.social_links.first().map(|link| link.url.clone()),
        description: text(&metadata.description),
        marketing: Some(creator.to_string()),
        logo: text(&metadata.image).map(Logo::Url),
    }
}
