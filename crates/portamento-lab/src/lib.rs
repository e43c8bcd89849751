//! The measuring side of portamento: what a smooth picture is, in figures.
