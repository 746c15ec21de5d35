"""Play-outs: sample the cards a seat cannot see, and play the round to its end."""
