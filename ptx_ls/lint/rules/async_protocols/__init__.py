"""Rules about matrix instructions, Tensor Memory, clusters, tensor maps and barriers."""
