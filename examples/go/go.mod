module filedeck.test/example

go 1.19
