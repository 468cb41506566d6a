package push

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marvin/tools"
	"marvin/tools/internal/text"
	"marvin/tools/internal/web"
)

// Base is the address of ntfy.sh. The hosts table can redirect requests to another server.
const Base = "https://ntfy.sh/"

const (
	patience  = 10 * time.Second
	pollLimit = 4 << 20 // about 1,000 messages of the largest size
	textLimit = 4096    // bytes; the server would turn longer messages into files
)

// Message is a message as the server sends it.
type Message struct {
	ID         string `json:"id"`
	Time       int64  `json:"time"` // Unix seconds
	Event      string `json:"event"`
	Title      string `json:"title"`
	Text       string `json:"message"`
	Attachment struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	} `json:"attachment"`
}

// Topic reports whether name is a valid topic: 1 to 64 ASCII letters, digits, "-" or "_".
func Topic(name string) bool {
	fits := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
	}
	return name != "" && len(name) <= 64 && !strings.ContainsFunc(name, func(r rune) bool { return !fits(r) })
}

// Publish sends a message and returns its id. An urgent message has high priority.
func Publish(ctx context.Context, client *http.Client, topic, title, text string, urgent bool) (id string, err error) {
	if len(text) > textLimit {
		return "", tools.Advise(fmt.Errorf("the message has %d bytes, but ntfy.sh accepts at most %d", len(text), textLimit), "Shorten it, or send it in pieces.")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("it took longer than "+patience.String()))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, Base+topic, strings.NewReader(text))
	if err != nil {
		return "", fmt.Errorf("%q is not a topic: %w", topic, err)
	}
	request.Header.Set("Content-Type", "text/plain; charset=utf-8")
	if title = oneLine(title); title != "" {
		// HTTP headers must be ASCII. ntfy 2.4 and later decode RFC 2047.
		request.Header.Set("Title", mime.BEncoding.Encode("utf-8", title))
	}
	if urgent {
		request.Header.Set("Priority", "high")
	}
	var answer Message
	if err := web.AskJSON(client, request, 64<<10, &answer); err != nil {
		return "", fmt.Errorf("the message was not sent: %w", err)
	}
	return answer.ID, nil
}

func oneLine(title string) string {
	return text.Clip(text.OneLine(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(title, ""))), 200)
}

// Poll fetches the messages that are newer than a message id or a Unix time, oldest first. It skips
// invalid lines of the response, but returns an error if all lines are invalid.
func Poll(ctx context.Context, client *http.Client, topic, since string) ([]Message, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errors.New("it took longer than "+patience.String()))
	defer cancel()
	address := Base + topic + "/json?" + url.Values{"poll": {"1"}, "since": {since}}.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("%q is not a topic: %w", topic, err)
	}
	body, err := web.Ask(client, request, pollLimit)
	if err != nil {
		return nil, err
	}
	var all []Message
	understood, garbled := 0, error(nil)
	for line := range bytes.Lines(body) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var message Message
		if err := web.Decode(request, line, &message); err != nil {
			garbled = err
			continue
		}
		understood++
		if message.Event == "message" && message.ID != "" {
			all = append(all, message)
		}
	}
	if understood == 0 && garbled != nil {
		return nil, garbled
	}
	return all, nil
}
