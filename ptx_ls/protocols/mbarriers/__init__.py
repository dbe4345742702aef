"""The uses of mbarrier objects, and the mistakes in them."""
