// Go's net/http and nothing else.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

type signup struct {
	Email *string `json:"email"`
}

func welcome(w http.ResponseWriter, r *http.Request, email *string) {
	told := map[string]*string{"email": email, "assertion": nil, "judged": nil}
	for name, field := range map[string]string{"assertion": "X-Gatekeeper-Assertion", "judged": "X-Judged-Email"} {
		if value := r.Header.Get(field); value != "" {
			told[name] = &value
		}
	}
	text, _ := json.Marshal(told)
	w.Header().Set("X-App", url.PathEscape(string(text)))
	w.WriteHeader(http.StatusCreated)
	fmt.Fprint(w, "welcome")
}

func fromJSON(w http.ResponseWriter, r *http.Request) {
	var data signup
	if err := json.NewDecoder(r.Body).Decode(&data); err != nil {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	welcome(w, r, data.Email)
}

func fromForm(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Content-Type"), "json") {
		fromJSON(w, r)
		return
	}
	if err := r.ParseMultipartForm(1 << 20); err != nil && err != http.ErrNotMultipart {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	email := r.FormValue("email")
	welcome(w, r, &email)
}

func on(method string, handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			http.Error(w, "no", http.StatusMethodNotAllowed)
			return
		}
		handle(w, r)
	}
}

func main() {
	http.HandleFunc("/signup", on("POST", fromForm))
	http.HandleFunc("/signup/", on("POST", fromForm))
	http.HandleFunc("/join", on("POST", fromJSON))
	http.HandleFunc("/account", on("PUT", fromForm))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("port %d\n", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, nil))
}
