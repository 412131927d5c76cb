// Signups as people write them with Go: one line of output for each, its name and the status of the answer.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
)

func show(name string, answer *http.Response, err error) {
	if err != nil {
		fmt.Printf("%s\t%v\n", name, err)
		return
	}
	answer.Body.Close()
	fmt.Printf("%s\t%d\n", name, answer.StatusCode)
}

func main() {
	target, email := os.Args[1], os.Args[2]
	fields := url.Values{"email": {email}, "name": {"Jane Döe"}, "password": {"p&q=1;2+"}}
	answer, err := http.PostForm(target, fields)
	show("PostForm", answer, err)
	body, _ := json.Marshal(map[string]any{"email": email, "name": "Jane <Döe>", "terms": true})
	answer, err = http.Post(target, "application/json", bytes.NewReader(body))
	show("json.Marshal", answer, err)
	reader, writer := io.Pipe()
	go func() { json.NewEncoder(writer).Encode(map[string]string{"email": email}); writer.Close() }()
	answer, err = http.Post(target, "application/json", reader)
	show("json.Encoder in chunks", answer, err)
	for _, size := range []int{2_000, 2_000_000} {
		var form bytes.Buffer
		parts := multipart.NewWriter(&form)
		file, _ := parts.CreateFormFile("avatar", "me \"& you\".png")
		file.Write(make([]byte, size))
		parts.WriteField("email", email)
		parts.WriteField("name", "Jane Döe")
		parts.Close()
		answer, err = http.Post(target, parts.FormDataContentType(), &form)
		show(fmt.Sprintf("multipart.Writer with a file of %d bytes", size), answer, err)
	}
}
