package sums

import (
	"strings"
	"testing"

	"marvin/tools/internal/toolstest"
)

func TestSumsAreExact(t *testing.T) {
	for expression, want := range map[string]string{
		"2+2": "= 4", "0.1+0.2": "= 0.3", "1/3": "≈ 0.333333333333", "17 * 23": "= 391", "3*(4+5)": "= 27", "2(3+4)": "= 14",
		"15% of 80": "= 12", "20 percent of 150": "= 30", "80+15%": "= 92", "100-37=": "= 63", "200 - 10%": "= 180", "50%": "= 0.5",
		"2^10": "= 1024", "2**10": "= 1024", "-2^2": "= -4", "2^-2": "= 0.25", "2^3^2": "= 512", "(-8)^(1/3)": "error", "4^0.5": "≈ 2",
		"sqrt(144)": "= 12", "sqrt 2": "≈ 1.41421356237", "square root of 81": "= 9", "sqrt(0.25)": "= 0.5", "√16": "= 4",
		"7 plus 15": "= 22", "12 times 9": "= 108", "12 divided by 8": "= 1.5", "10 mod 3": "= 1", "-7 mod 3": "= 2", "6 x 7": "= 42", "6×7": "= 42",
		"5!": "= 120", "max(3, 7, 5)": "= 7", "min(3,7)": "= 3", "round(2.567, 2)": "= 2.57", "round(2.5)": "= 3", "abs(-3)": "= 3", "5 squared": "= 25",
		"log(1000)": "≈ 3", "sin(0)": "≈ 0", "pi": "≈ 3.14159265359", "2*pi*3": "≈ 18.8495559215", "floor(2.7)": "= 2",
		"1,299.50 * 2": "= 2599", "1_000+1": "= 1001", "1e3+1": "= 1001", "2^100": "= 1267650600228229401496703205376",
		"log(1000) - 3": "≈ 0", strings.Repeat("sqrt 4 + ", 109) + "0": "= 218", // one behind the other is not nested
		"10^80": "= 1e+80", "1/1000000": "= 0.000001", "3e-20*1": "= 3e-20", "0": "= 0", "5-5": "= 0", "1299 / 12": "= 108.25", "--5": "= 5",
	} {
		got, err := evaluate(expression)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s is %q (%v), want %q", expression, got, err, want)
		}
	}
}

func TestCalculationErrors(t *testing.T) {
	for expression, want := range map[string]string{
		"": "nothing to calculate", "1/0": "division by 0", "0^-1": "division by 0", "2+": "ends too early", "(2": "not closed", "2)": `")" was not expected`,
		"two": `"two" is not a number`, "2 3": `"3" was not expected`, "sqrt(-1)": "not negative", "9^9^9": "too large", "10^5000": "too large", "1e99999999": "",
		"2.5!": "whole number", "999!": "too large", strings.Repeat("(", 500): "nested too deeply", strings.Repeat("-", 999) + "1": "", strings.Repeat("1", 1001): "longer than",
		strings.Repeat("sqrt ", 180) + "2": "nested too deeply", "os.exit()": "is not a number", "ln(0)": "too large", "ln(-1)": "not a real number", "5 mod 0": "\"mod\" needs whole numbers",
		"2" + strings.Repeat("^2", 300): "nested too deeply",
	} {
		got, err := evaluate(expression)
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.40s: %q, %v, want %q", expression, got, err, want)
		}
	}
}

func TestCalculateIsATool(t *testing.T) {
	text, err := toolstest.Call(t, Tools(), toolstest.Env(t), "calculate", `{"sum":"6*7"}`)
	if err != nil || text != "= 42" {
		t.Errorf("%q, %v", text, err)
	}
	_, err = toolstest.Call(t, Tools(), toolstest.Env(t), "calculate", `{"expression":"what"}`)
	toolstest.CheckError(t, err, "is not a number", "15% of 80")
}

func FuzzEvaluate(f *testing.F) {
	for _, seed := range []string{"2+2", "15% of 80", "((1", "2^^2", "5!!!", "sqrt(1e9)", "1e999999999", "min(,)"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		if text, err := evaluate(expression); err == nil && (!strings.Contains(text, " ") || len(text) > 80) {
			t.Errorf("%q is %q", expression, text)
		}
	})
}
