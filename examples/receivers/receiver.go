// Receives webhooks of the gateway: SVC_WEBHOOK_SECRET=whsec_... PORT=8080 go run receiver.go
// It listens on this machine only. Behind a proxy with TLS, set HOST to another address.
package main

import (
	"cmp"
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

// isGenuine returns whether the gateway signed these exact bytes in the last minutes.
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
	secret, isSecret := strings.CutPrefix(os.Getenv("SVC_WEBHOOK_SECRET"), "whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil || !isSecret || len(key) < 24 {
		fail("Set SVC_WEBHOOK_SECRET to the signing secret of the webhook, whsec_..., which its creation printed.")
	}
	host, port := cmp.Or(os.Getenv("HOST"), "127.0.0.1"), cmp.Or(os.Getenv("PORT"), "8080")
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		fail(fmt.Sprintf("Cannot listen on %s, port %s (%v). Set PORT or HOST to another value.", host, port, err))
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
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

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}
