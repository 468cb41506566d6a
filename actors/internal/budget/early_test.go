package budget

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/messages"
)

var noon = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// answered is a conversation whose model answered at noon, each time with half of the prompt from
// the cache.
func answered(all []messages.Message) []messages.Message {
	for i := range all {
		if all[i].Role == messages.Assistant {
			all[i].Model, all[i].At, all[i].Usage = "p/m", noon, messages.RoundTrip{Input: 10_000, Cached: 5000}
		}
	}
	return all
}

// saying is a turn that calls one tool per round: "read a 8000" reads a file of 8,000 bytes,
// "again a" gets the answer "unchanged", other words are other tools.
func saying(calls ...string) []messages.Message {
	all := []messages.Message{{Role: messages.User, Text: "go"}}
	for i, call := range calls {
		var name, path string
		var size int
		_, _ = fmt.Sscan(call, &name, &path, &size)
		id := fmt.Sprint("c", i)
		result := messages.ToolResult{Call: id, Name: map[bool]string{true: "read_file", false: name}[name == "read" || name == "again"], Status: messages.OK}
		result.Text = strings.Repeat(fmt.Sprintf("%s line\n", id), size/8)
		if name == "again" {
			result.Text = EarlierEqual(all, messages.ToolResult{Name: "read_file", Status: messages.OK, Text: first(all, path)})
		}
		args, _ := json.Marshal(map[string]string{"path": path})
		all = append(all,
			messages.Message{Role: messages.Assistant, Calls: []messages.ToolCall{{ID: id, Name: result.Name, Args: args}}},
			messages.Message{Role: messages.Tool, Result: result})
	}
	return answered(all)
}

// first returns the content of a file in its first reading.
func first(all []messages.Message, path string) string {
	for at, message := range all {
		if message.Role == messages.Tool && strings.Contains(string(all[at-1].Calls[0].Args), `"`+path+`"`) {
			return message.Result.Text
		}
	}
	return ""
}

func TestOldResultsLeaveWhereNothingIsKept(t *testing.T) {
	logs := func(count int) (calls []string) {
		for i := range count {
			calls = append(calls, fmt.Sprintf("log x%d 40000", i))
		}
		return calls
	}
	for name, c := range map[string]struct {
		calls   []string
		running int // this many of them belong to the running turn
		want    []int
	}{
		"what is in front of the newest 40,000 tokens": {logs(8), 8, []int{2, 4, 6, 8}},
		"not one at a time":                            {logs(5), 0, nil},
		"the unseen one is one of the newest":          {append(logs(6), "read a 4000"), 7, []int{2, 4}},
		"what was changed":                             {[]string{"read a 8000", "apply_patch a 80", "list . 80"}, 0, []int{2}},
		"what the running turn changed":                {[]string{"read a 8000", "apply_patch a 80", "list . 80"}, 3, nil},
		"what it read again":                           {[]string{"read a 8000", "log x 90000", "apply_patch a 80", "read a 8000", "list . 80"}, 5, []int{2}},
		"what a later word points at stays":            {[]string{"read a 8000", "log x 90000", "apply_patch b 80", "again a", "list . 80"}, 5, nil},
		"a skill stays":                                {append([]string{"read skill:s 90000"}, logs(8)...), 0, []int{4, 6, 8, 10}},
		"a skill of the tool stays":                    {append([]string{"read_skill s 90000"}, logs(8)...), 0, []int{4, 6, 8, 10}},
	} {
		all := saying(c.calls...)
		in := input(all, 0)
		in.Turn = len(all) - 2*c.running
		if got := positions(ChooseEarly(in)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v leave, want %v", name, got, c.want)
		}
	}
	by := input(saying(logs(8)...), 0)
	by.Limits.Manual = true
	if got := ChooseEarly(by); got != nil {
		t.Errorf("only a person takes something away, and %v leave", positions(got))
	}
	again := saying("read a 8000", "edit a 400", "read a 8000", "list . 80")
	if text := WithPlaceholders(again, ChooseEarly(input(again, 0)))[2].Result.Text; !strings.HasPrefix(text, "[1000 lines (8000 bytes) left the view because the file was read again or changed later: ") {
		t.Errorf("%q", text)
	}
	all := saying("log x 90000")
	if got := ChooseEarly(input(all, 0)); got != nil {
		t.Errorf("what the model has not seen leaves: %v", positions(got))
	}
}

func TestProviderCacheLifetime(t *testing.T) {
	all := saying("log a 40", "log b 40", "log c 40", "log d 40")
	paid := func(change func(*messages.RoundTrip)) []messages.Message {
		other := saying("log a 40", "log b 40", "log c 40", "log d 40")
		for i := range other {
			if other[i].Role == messages.Assistant {
				other[i].Usage = messages.RoundTrip{Input: 10_000}
				change(&other[i].Usage)
			}
		}
		return other
	}
	kept := Cache{Now: noon.Add(4 * time.Minute), Model: "p/m", Lasts: 5 * time.Minute, Paid: true}
	after := func(change func(*Cache)) Cache {
		cache := kept
		change(&cache)
		return cache
	}
	for name, c := range map[string]struct {
		cache Cache
		all   []messages.Message
		cold  bool
	}{
		"used a moment ago":         {kept, all, false},
		"too long ago":              {after(func(c *Cache) { c.Now = noon.Add(5 * time.Minute) }), all, true},
		"another model":             {after(func(c *Cache) { c.Model = "p/other" }), all, true},
		"nobody knows when":         {after(func(c *Cache) { c.Now, c.Lasts = noon.Add(99*time.Hour), 0 }), all, false},
		"the beginning":             {kept, all[:1], false},
		"never from a cache":        {kept, paid(func(*messages.RoundTrip) {}), true},
		"written into one":          {kept, paid(func(u *messages.RoundTrip) { u.Written = 1 }), false},
		"nobody counted":            {kept, paid(func(u *messages.RoundTrip) { u.Estimated = true }), false},
		"too short to be kept":      {kept, paid(func(u *messages.RoundTrip) { u.Input = 900 }), false},
		"a server that says little": {after(func(c *Cache) { c.Paid = false }), paid(func(*messages.RoundTrip) {}), false},
	} {
		if got := c.cache.Cold(c.all); got != c.cold {
			t.Errorf("%s: cold is %v", name, got)
		}
	}
}
