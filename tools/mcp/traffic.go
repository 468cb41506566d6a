package mcp

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// These constants limit what a server sends. The library stores messages until it handles them:
// 400,000 pings during one call used 1.69 GB, and 300,000 notifications blocked the call for 50 s.
const (
	trafficTime    = 10 * time.Second
	mostRequests   = 200             // requests within trafficTime
	mostNotices    = 500             // notifications of each kind within trafficTime
	mostUnanswered = 64              // maximum unanswered requests from the server
	mostListed     = 2 * longestLine // maximum bytes in all pages of one list
)

// traffic contains the counters that limit a server's messages. It is safe for concurrent use.
type traffic struct {
	now  func() time.Time
	said func(string)

	mu         sync.Mutex
	received   int // bytes of messages
	begun      time.Time
	counts     map[string]int // messages in the current period, by kind
	unanswered int
	told       bool
}

func newTraffic(now func() time.Time, said func(string)) *traffic {
	return &traffic{now: now, said: said, counts: map[string]int{}}
}

func (t *traffic) count(bytes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.received += bytes
}

func (t *traffic) total() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.received
}

// admits returns true if a message is within the limits. It counts requests and notifications, but
// not replies.
func (t *traffic) admits(message jsonrpc.Message) bool {
	request, asks := message.(*jsonrpc.Request)
	if !asks {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := t.now(); now.Sub(t.begun) > trafficTime {
		t.begun, t.counts = now, map[string]int{}
	}
	kind, most := "requests", mostRequests
	if !request.IsCall() {
		most = mostNotices
		switch kind = request.Method; kind {
		case "notifications/progress", "notifications/tools/list_changed":
		default:
			kind = "notifications"
		}
	}
	t.counts[kind]++
	if t.counts[kind] > most || request.IsCall() && t.unanswered >= mostUnanswered {
		if !t.told {
			t.told = true
			t.said(fmt.Sprintf("[the server sends too much: Marvin accepts %d requests and %d notifications of each kind in %s, and drops the rest]", mostRequests, mostNotices, trafficTime))
		}
		return false
	}
	if request.IsCall() {
		t.unanswered++
	}
	return true
}

// startOfMessage limits the search in examineSent to the first bytes of a message. Marvin's own
// requests and notifications contain "method" within these bytes.
const startOfMessage = 256

// examineSent looks for replies from Marvin. Each reply lets the server send another request.
func (t *traffic) examineSent(message []byte) {
	if bytes.Contains(message[:min(len(message), startOfMessage)], []byte(`"method":`)) {
		return // Marvin's own request or notification
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unanswered = max(0, t.unanswered-1)
}

// sentCounter writes messages to a server and passes each one to [traffic.examineSent].
type sentCounter struct {
	io.WriteCloser
	traffic *traffic
}

// Write implements [io.Writer]. The library writes one message at a time.
func (a sentCounter) Write(message []byte) (int, error) {
	n, err := a.WriteCloser.Write(message)
	if err == nil {
		a.traffic.examineSent(message)
	}
	return n, err
}
