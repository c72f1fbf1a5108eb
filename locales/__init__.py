"""Everything about a language: message catalogues, grammar, detection and keys."""
