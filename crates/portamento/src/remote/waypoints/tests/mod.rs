//! Every sentence of the contract, a row each.
