// Takes webhooks of the gateway: SVC_WEBHOOK_SECRET=whsec_... PORT=8080 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const tolerance = 5 * time.Minute

var seen sync.Map

// isGenuine tells whether the very bytes of a body come from the gateway, and just now.
func isGenuine(key []byte, headers http.Header, body []byte) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}
	return false
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("SVC_WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		panic("SVC_WEBHOOK_SECRET is no secret")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	listener, err := net.Listen("tcp", ":"+port)
	if err != nil {
		panic(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, 64*1024))
		if err != nil || !isGenuine(key, request.Header, body) {
			answer.WriteHeader(http.StatusUnauthorized)
			return
		}
		var event struct{ ID, Type string }
		if json.Unmarshal(body, &event) == nil {
			// An event may come twice: keep the ids where you keep what you do about them.
			if _, again := seen.LoadOrStore(event.ID, true); !again {
				fmt.Println(event.ID, event.Type)
			}
		}
		answer.WriteHeader(http.StatusNoContent)
	})))
}
