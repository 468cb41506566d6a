package app

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"marvin/ui/headless"
)

var topicName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// topics returns the value of --ntfy as a list. The list is empty without --ntfy or in a
// non-interactive run.
func (p *App) topics() ([]string, error) {
	if p.Opts.Ntfy == "" || p.Opts.NonInteractive {
		return nil, nil
	}
	if !topicName().MatchString(p.Opts.Ntfy) {
		return nil, notATopic(p.Opts.Ntfy)
	}
	return []string{p.Opts.Ntfy}, nil
}

func notATopic(topic string) error {
	return fmt.Errorf("--ntfy: %q is not a topic; use letters, digits, - and _, at most 64", topic)
}

// Announce publishes the result of a run to an ntfy topic. The timeout is short, because Marvin
// cannot exit before the request has ended.
func (p *App) Announce(topic string, result headless.Result) error {
	if !topicName().MatchString(topic) {
		return notATopic(topic)
	}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
	defer stop()
	text := fmt.Sprintf("Marvin: %s, $%.4f", result.Outcome, result.Usage.Cost)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://ntfy.sh/"+topic, strings.NewReader(text))
	if err != nil {
		return fmt.Errorf("--ntfy: %w", err)
	}
	response, err := p.Client.Do(request)
	if err != nil {
		return fmt.Errorf("--ntfy: %w", err)
	}
	response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("--ntfy: ntfy.sh answered %s, so the message was not delivered; try another topic, or try again later", response.Status)
	}
	return nil
}
