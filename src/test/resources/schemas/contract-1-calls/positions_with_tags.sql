select position from registrar.positions_with_tags(?, ?, ?, ?, false, ?) position
