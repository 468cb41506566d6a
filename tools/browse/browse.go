package browse

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"marvin/tools"
	"marvin/tools/internal/duck"
)

// Service holds what the tools of this category share.
type Service struct {
	client  *http.Client
	engine  *duck.Engine
	pages   *cache
	fetches *rate.Limiter // of browse_web
	renders *rate.Limiter // of scrape_page: a browser is started for each
}

// New makes the service; nothing is asked or started before the first call.
func New(client *http.Client) Service {
	return Service{
		client: client, engine: duck.New(client), pages: &cache{},
		fetches: rate.NewLimiter(rate.Every(time.Second), 1), renders: rate.NewLimiter(rate.Every(3*time.Second), 1),
	}
}

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.searchTool(), s.newsTool(), s.browseTool(), s.scrapeTool()}
}

// webAddress checks an address before use. An option of another program, or a file, gets a clear
// error.
func webAddress(text string) (string, error) {
	text = strings.TrimSpace(text)
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return "", tools.Advise(fmt.Errorf("%.200q is not a web address", text), "Give a whole one that begins with http:// or https://.")
	}
	return parsed.String(), nil
}

var errNoQuery = errors.New("the query is empty")
