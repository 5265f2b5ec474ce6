select * from registrar.check_conditions_3(?, ?, ?, ?, ?, null, null, null, null)
