package tools_test

import "testing"

func BenchmarkSchema(b *testing.B) {
	for b.Loop() {
		if _, err := forecast().Schema(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFirstCall(b *testing.B) {
	for b.Loop() {
		if _, err := forecast().Decode([]byte(`{"place":"Rome"}`)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLaterCall(b *testing.B) {
	tool := forecast()
	for b.Loop() {
		if _, err := tool.Decode([]byte(`{"place":"Rome"}`)); err != nil {
			b.Fatal(err)
		}
	}
}
