"""Rules about asynchronous copies and mbarrier objects, one for each way to misuse them."""
