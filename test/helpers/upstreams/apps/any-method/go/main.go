// Go's mux and handlers that never look at the method.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

type signup struct {
	Email *string `json:"email"`
}

func welcome(w http.ResponseWriter, r *http.Request) {
	var data signup
	if json.NewDecoder(r.Body).Decode(&data) != nil || data.Email == nil {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	told := map[string]*string{"email": data.Email, "assertion": nil, "judged": nil}
	for name, field := range map[string]string{"assertion": "X-Gatekeeper-Assertion", "judged": "X-Judged-Email"} {
		if value := r.Header.Get(field); value != "" {
			told[name] = &value
		}
	}
	text, _ := json.Marshal(told)
	w.Header().Set("X-App", url.PathEscape(string(text)))
	w.WriteHeader(http.StatusCreated)
}

func main() {
	http.HandleFunc("/signup", welcome)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("port %d\n", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, nil))
}
