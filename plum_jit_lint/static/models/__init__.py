"""What calls of other libraries do: one module or package a library, each with its `HANDLERS`."""
