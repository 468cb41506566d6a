package permit

import (
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // trades memory for time: all tests take 7 s of processor time, not 10
	m.Run()
}
