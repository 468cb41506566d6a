package actors_test

import (
	"testing"
	"testing/synctest"
	"time"
)

// virtually runs a test in virtual time. Mail for an actor that just ended has protoactor count it
// for a second, which is waited for at the end: nothing may be left of such a test.
func virtually(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // virtual, and behind all other ends
		test(t)
	})
}
