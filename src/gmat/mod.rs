//! GMAT scripts: what one contains and what is wrong with it. Knows nothing of prompts.
