package providers_test

import (
	"math"
	"testing"

	"marvin/providers"
)

func TestUsageThatNoRequestCanHave(t *testing.T) {
	for usage, want := range map[providers.Usage]bool{
		{Input: 10, Output: 1}: true, {Input: 10, Cached: 10, Written: 2}: true, {Input: 10, Output: 0, Turns: 3}: true,
		{Output: 5}: false, {Input: -1, Output: 5}: false, {Input: 10, Output: -5}: false, {Input: math.MaxInt64}: false, {Input: 10, Output: math.MaxInt32}: false,
		{Input: 10, Cached: 11}: false, {Input: 10, Cached: -1}: false, {Input: 10, Written: 11}: false, {Input: 10, Turns: -1}: false, {}: false,
	} {
		if usage.Sane() != want {
			t.Errorf("%+v is possible: %v", usage, !want)
		}
	}
}
