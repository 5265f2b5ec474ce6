select position from registrar.positions_with_tags_2(?, ?, ?, ?, false, ?) position
