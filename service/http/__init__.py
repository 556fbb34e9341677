"""HTTP: routes by resource. What is asked is handed to `service.handling`; every failure is a problem (RFC 9457)."""
