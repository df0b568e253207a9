import quiet_mode
