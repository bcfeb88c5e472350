"""An answer as it is kept and shown: its house form, its citations, how it came about, why there is none."""
