"""Who somebody is: sign-in, sessions, tokens and roles."""
