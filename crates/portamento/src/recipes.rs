//! Recipes: short programs for common tasks. This module holds documentation only.
//!
#![cfg_attr(all(feature = "std", feature = "derive"), doc = include_str!("recipes.md"))]
#![cfg_attr(
    not(all(feature = "std", feature = "derive")),
    doc = "The recipes need the features `std` and `derive`: build the documentation with the default features."
)]
