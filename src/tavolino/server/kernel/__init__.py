"""One table: its entries, the state folded from them, commands, and the actor that owns it."""
