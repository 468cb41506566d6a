package resources

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

func TestTheFirstCollectionIsLate(t *testing.T) {
	before := debug.SetGCPercent(collectUsual)
	t.Cleanup(func() { debug.SetGCPercent(before) })
	percent := func() int { // without setting it, which the end of the first collection would take for a user's word
		now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(now)
		return int(now[0].Value.Uint64())
	}
	CollectLater(func(string) string { return "50" })
	if now := percent(); now != collectUsual {
		t.Errorf("a user's own GOGC does not hold: %d", now)
	}
	CollectLater(unset)
	if now := percent(); now != collectFirst {
		t.Errorf("before the first collection: %d", now)
	}
	for limit := time.Now().Add(time.Minute); percent() != collectUsual; time.Sleep(time.Millisecond) {
		runtime.GC()
		if time.Now().After(limit) {
			t.Fatalf("behind the first collection: %d", percent())
		}
	}
	debug.SetGCPercent(collectRare)
	if collectAgain(collectUsual); percent() != collectRare {
		t.Errorf("who answers many prompts is not heard: %d", percent())
	}
}

// unset returns an environment without GOGC, whatever the environment of the tests is.
func unset(string) string { return "" }
