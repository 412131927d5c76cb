// GATEKEEPER_URL=http://127.0.0.1:8080 GATEKEEPER_KEY=gk_… go run score-signup.go <email> <ip> [user agent]
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

var client = http.Client{
	Timeout: 3 * time.Second, // for the whole call
	// Another address must not get the key.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func score(email, ipAddress, userAgent string) (string, error) {
	signup, err := json.Marshal(map[string]string{"email": email, "ip_address": ipAddress, "user_agent": userAgent})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequest("POST", os.Getenv("GATEKEEPER_URL")+"/score-signup", bytes.NewReader(signup))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-Key", os.Getenv("GATEKEEPER_KEY"))
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case 200:
		var answer struct {
			RiskLevel string `json:"risk_level"`
		}
		err = json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(&answer)
		if err == nil && answer.RiskLevel == "" {
			err = fmt.Errorf("an answer without a risk level")
		}
		return answer.RiskLevel, err
	case 400, 413: // The fields are invalid. A sender can cause this, so it must not be a way around the check.
		return "high", nil
	default:
		return "", fmt.Errorf("status %d", response.StatusCode)
	}
}

// riskOf returns low, medium or high. Without a decision it is low: the signup is accepted.
func riskOf(email, ipAddress, userAgent string) string {
	if len(email) > 254 { // longer than any mailbox
		return "high"
	}
	level, err := score(email, ipAddress, userAgent)
	if err != nil {
		fmt.Fprintln(os.Stderr, "no decision:", err)
		return "low"
	}
	return level
}

func main() {
	arguments := append(os.Args[1:], "", "", "")
	switch riskOf(arguments[0], arguments[1], arguments[2]) {
	case "low":
		fmt.Println("accept")
	case "medium":
		fmt.Println("verify")
	default:
		fmt.Println("refuse")
	}
}
