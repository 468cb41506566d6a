package geo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"marvin/tools"
	"marvin/tools/internal/reason"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
)

const (
	overpassURL   = "https://overpass-api.de/api/interpreter"
	overpassLimit = 8 << 20
)

// Element is an entry of an Overpass response: a node, a way, a relation or a count.
type Element struct {
	Type   string            `json:"type"`
	ID     int64             `json:"id"`
	Lat    *float64          `json:"lat"` // Lat and Lon are nil if the element is not a node
	Lon    *float64          `json:"lon"`
	Center *Center           `json:"center"` // set for ways and relations after "out center"
	Tags   map[string]string `json:"tags"`
}

// Center is the middle of a way or relation.
type Center struct{ Lat, Lon float64 }

// Point returns the element's coordinates or its center. It returns false if both are missing.
func (e Element) Point() (Point, bool) {
	switch {
	case e.Lat != nil && e.Lon != nil:
		return Point{*e.Lat, *e.Lon}, true
	case e.Center != nil:
		return Point{e.Center.Lat, e.Center.Lon}, true
	}
	return Point{}, false
}

// Overpass runs a query with JSON output. It returns an error for an error status, an HTML page, or
// a remark that reports an error.
func Overpass(ctx context.Context, client *http.Client, query string) ([]Element, error) {
	body, err := web.PostForm(ctx, client, overpassURL, url.Values{"data": {query}}, overpassLimit)
	if err != nil {
		return nil, overpassError(err)
	}
	if trouble := trouble(body); trouble != "" {
		return nil, tools.Advise(fmt.Errorf("Overpass could not answer: %s", trouble), "%s", overpassHint)
	}
	var answer struct {
		Elements []Element `json:"elements"`
		Remark   string    `json:"remark"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, tools.Advise(reason.Reword(err, "Overpass did not answer in JSON"), "Try again, and check that the query begins with [out:json].")
	}
	if strings.Contains(answer.Remark, "error") { // Overpass ran out of time or memory
		return nil, tools.Advise(fmt.Errorf("Overpass gave up: %s", show.Line(answer.Remark, 300)), "%s", overpassHint)
	}
	return answer.Elements, nil
}

const overpassHint = "Ask for a smaller area or fewer kinds of things, or try again in a minute."

func overpassError(err error) error {
	var status *web.StatusError
	if !errors.As(err, &status) {
		return fmt.Errorf("ask Overpass: %w", err)
	}
	switch status.Status {
	case http.StatusBadRequest:
		return tools.Advise(errors.New(show.Join(": ", "Overpass does not understand the query", trouble(status.Body))),
			`Overpass QL looks like: node["amenity"="cafe"](around:500,59.86,17.64); out center;`)
	case http.StatusTooManyRequests:
		return tools.Advise(errors.New("Overpass asks for a pause (429)"), "Wait at least 30 seconds before the next query.")
	case http.StatusGatewayTimeout:
		return tools.Advise(errors.New("Overpass is too busy or the query takes too long (504)"), "%s", overpassHint)
	}
	return fmt.Errorf("ask Overpass: %w", err)
}

// errorLine matches an error message on an Overpass page:
//
//	<p><strong style="color:#FF0000">Error</strong>: line 1: parse error: … </p>
var errorLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)Error</strong>:(.*?)</p>`)
})

var markup = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[^>]*>`) })

// trouble extracts the error messages from an Overpass page. It returns "" if body is not HTML.
func trouble(body []byte) string {
	text := strings.TrimSpace(string(body[:min(len(body), 64<<10)]))
	if !strings.HasPrefix(text, "<") {
		return ""
	}
	var said []string
	for _, match := range errorLine().FindAllStringSubmatch(text, 3) {
		said = append(said, strings.Join(strings.Fields(html.UnescapeString(markup().ReplaceAllString(match[1], ""))), " "))
	}
	if len(said) == 0 {
		return "the server gave no reason"
	}
	return show.Line(strings.Join(said, "; "), 300)
}
