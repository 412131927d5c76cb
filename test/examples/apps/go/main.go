package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"

	"gatekeeper"
)

func main() {
	keys := map[string]string{}
	if err := json.Unmarshal([]byte(os.Args[1]), &keys); err != nil {
		panic(err)
	}
	http.Handle("/signup", gatekeeper.Require(keys, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "welcome %s", r.PostFormValue("email"))
	})))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("port %d\n", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, nil))
}
