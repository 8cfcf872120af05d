//! Writes the launchpad's JSON schema into the folder `schema` of the working directory.

use cosmwasm_schema::write_api;
use launchpad_api::msg::{ExecuteMsg, InstantiateMsg, QueryMsg};

fn main() {
    write_api! { name: "launchpad", instantiate: InstantiateMsg, execute: ExecuteMsg, query: QueryMsg }
}
