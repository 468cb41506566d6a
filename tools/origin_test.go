package tools

import (
	"strings"
	"testing"
)

func TestWhoseWordsAResultHolds(t *testing.T) {
	for _, one := range []struct {
		said   Origin
		effect Effect
		pool   Pool
		coding bool
		want   Origin
	}{
		{Strangers, Outside, Local, false, Strangers},
		{OwnOrigin, Reads, Net, false, OwnOrigin},
		{Private, Outside, Net, false, Private},
		{0, Outside, Net, true, OwnOrigin},
		{0, Reads, Net, false, Strangers},
		{0, Writes, Net, false, Strangers},
		{0, Irreversible, Proc, false, Private},
		{0, Irreversible, Local, true, OwnOrigin},
		{0, Writes, Proc, true, OwnOrigin},
		{0, Reads, Local, true, Private},
		{0, Reads, Proc, false, Private},
		{0, Reads, Local, false, OwnOrigin},
		{0, Writes, Local, true, OwnOrigin},
	} {
		if got := one.said.orDerived(one.effect, one.pool, one.coding); got != one.want {
			t.Errorf("%+v: %d", one, got)
		}
	}
}

// A prompt names hosts and words only if it is short enough to be typed.
func TestAPastedPromptNamesNothing(t *testing.T) {
	for size, named := range map[int]bool{leastPasted - 1: true, leastPasted: false, leastPasted + 1: false} {
		said := "see https://example.org/x and topic "
		hosts := &KnownHosts{}
		hosts.AddPrompt(said + strings.Repeat(".", size-len(said)))
		host := hosts.classify(Destination{Reach: Chosen, Name: "example.org"})
		topic := hosts.classify(Destination{Reach: Public, Name: "Topic"})
		page := hosts.classify(Destination{Reach: Chosen, Name: "example.org", Address: "https://example.org/x"})
		if (host != unknown) != named || (topic != unknown) != named || page == unknown {
			t.Errorf("of %d bytes: the host %v, the topic %v, the page %v", size, host, topic, page)
		}
	}
	var nobody *KnownHosts
	nobody.AddPrompt("https://example.org")
	nobody.Pass("https://example.org")
	if nobody.wasTyped("x") || nobody.classify(Destination{}) != unknown {
		t.Error("nobody knows something")
	}
	hosts := &KnownHosts{}
	hosts.Pass("https://example.org/y#part")
	hosts.Pass("no address")
	for address, want := range map[string]trust{"https://example.org/y": read, "http://example.org/y/": read, "https://example.org/z": unknown} {
		if got := hosts.classify(Destination{Reach: Chosen, Name: "example.org", Address: address}); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
