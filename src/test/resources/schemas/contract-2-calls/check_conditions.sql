select * from registrar.check_conditions_2(?, ?, ?, ?, ?, null, null, null, null)
