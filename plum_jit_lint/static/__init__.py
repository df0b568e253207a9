"""The static observer. It reads sources and never imports or runs them."""
