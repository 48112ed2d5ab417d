// Filled by the work in hand.
