package conversation

import (
	"strings"
	"testing"

	"marvin/messages"
)

func TestPromptsWaitInTheirOrder(t *testing.T) {
	var queue Queue
	for _, text := range []string{"one", "two", "three", "four"} {
		queue = append(queue, Queued{Prompt: messages.Prompt{Text: text}, Request: map[string]string{"two": "r2", "four": "r4"}[text], Sent: text == "three"})
	}
	left := func() string {
		var all []string
		for _, one := range queue {
			all = append(all, one.Text)
		}
		return strings.Join(all, " ")
	}
	if first := queue.Pop(); first.Text != "one" || left() != "two three four" {
		t.Errorf("%q came out, and %q is left", first.Text, left())
	}
	for _, none := range []string{"", "r9"} {
		if _, found := queue.Remove(none); found || left() != "two three four" {
			t.Errorf("request %q is there, %q is left", none, left())
		}
	}
	queue.remove("", "four") // it has a request
	queue.remove("", "three")
	if left() != "two four" {
		t.Errorf("%q is left", left())
	}
	queue.remove("r4", "")
	if one, found := queue.Remove("r2"); !found || one.Text != "two" || len(queue) != 0 {
		t.Errorf("%q, %v, and %q is left", one.Text, found, left())
	}
}
