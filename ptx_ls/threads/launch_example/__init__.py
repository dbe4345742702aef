"""An example of a launch: what each of its threads computes, and where each one gets."""
