"""The walk over commits and events: page by page while all is well, else one by one."""
