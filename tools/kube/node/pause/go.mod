module heddle.dev/pause

go 1.25
