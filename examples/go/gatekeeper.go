// Package gatekeeper lets a request on only if the gate judged exactly this one:
//
//	keys := map[string]string{"generated": os.Getenv("GATEKEEPER_ASSERTION_SECRET")}
//	http.Handle("/signup", gatekeeper.Require(keys, signUp))
package gatekeeper

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

func Require(keys map[string]string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var header, said map[string]any // what cannot be read stays empty, and was not signed
		part := append(strings.Split(r.Header.Get("X-Gatekeeper-Assertion"), "."), "", "")
		_ = json.NewDecoder(base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(part[0]))).Decode(&header)
		_ = json.NewDecoder(base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(part[1]))).Decode(&said)
		secret := []byte(keys[fmt.Sprint(header["kid"])])
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(part[0] + "." + part[1]))
		signed := hmac.Equal([]byte(base64.RawURLEncoding.EncodeToString(mac.Sum(nil))), []byte(part[2]))
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		r.Body = io.NopCloser(bytes.NewReader(body))
		arrived := [3]any{r.Method, r.RequestURI, fmt.Sprintf("%x", sha256.Sum256(body))}
		expires, _ := said["exp"].(float64)
		sound := signed && err == nil && len(secret) > 0 && header["alg"] == "HS256" && said["iss"] == "gatekeeper"
		sound = sound && expires > float64(time.Now().Unix()) && said["action"] != "block"
		if !sound || [3]any{said["method"], said["path"], said["body_sha256"]} != arrived {
			http.Error(w, "This request did not come through the gate.", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
