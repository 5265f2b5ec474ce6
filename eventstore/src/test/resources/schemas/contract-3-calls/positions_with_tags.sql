select position from registrar.positions_with_tags_3(?, ?, ?, ?, false, ?) position
