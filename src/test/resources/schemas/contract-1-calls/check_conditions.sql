select * from registrar.check_conditions(?, ?, ?, ?, ?, null, null, null, null)
