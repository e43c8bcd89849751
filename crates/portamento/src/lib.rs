//! Motion that looks smooth between the ticks of a simulation and the frames of a screen.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![warn(missing_docs)]

