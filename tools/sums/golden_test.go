package sums

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"marvin/persistence/goldentest"
)

func TestExpressions(t *testing.T) {
	expressions := strings.Split(`1+|+1|+-+1|1+-1|1-+1|1--1|1 + 2 * 3 ^ 2|2^3!|-3!|(1)(2)|2 pi|pi(2)|2(3)4|3 4|(3)4|1..2|.5|5.|1.2.3|1,2,3|1,234|12,34|1 000|1_0|0x10|1e|1e+|1e5|1E-5|2e|e|e^2|tau|100e3%
5%|5%%|50% of 50%|10%+5|10+10%|10-10%|10*10%|10/10%|10%^2|5 percent|5 per cent of 20|of 5|5 of 6|20% of|200+10%+10%|(10%)|80 + (15%)|15 % 4|15 mod 4|15 % of 4|7 mod 0|7 mod -3|-7 mod -3|7.5 mod 2|7.5 mod 0.5
0!|1!|20!|170!|171!|200!|-1!|(-1)!|2.5!|3!!|sqrt 16|sqrt(-4)|sqrt(2)^2|cos(0)/4|4/cos(0)|√2|cbrt(27)|cbrt(-8)|root(8,3)|root(16)|root(2,0)|sqrt()|sqrt(1,2)|sqrt 4 + 5|sqrt 4 * 9
max()|max(1)|max(1,)|max(1,2|min(3,1,2)|max(1/3,0.33)|round(1.5)|round(-1.5)|round(2.345,2)|round(2.345,-1)|round(1,2,3)|round(1234,-2)|round(1.5,0.5)|round(1,99)|floor(-1.5)|ceil(1.2)|ceil(-1.2)|abs(-1/3)|abs()|abs(1,2)
cos(0)|tan(0)|asin(2)|acos(1)|atan(1)|ln(e)|ln(0)|log(100)|log(-1)|log2(8)|log(8,2)|exp(1)|exp(1000)|sinh(1)|deg(pi)|rad(180)
2^0|0^0|0^1|0^-1|(-2)^3|(-2)^-3|(-2)^0.5|2^0.5|2^1000|2^10000|10^79|10^80|10^81|10^308|10^309|1.5^100|(1/3)^3|(2/3)^-2|2^(1/2)|8^(1/3)|(-8)^(1/3)|1^99999999|(-1)^99999999|0.5^2000
1/3|2/3|1/7|10/4|1/8|1/1024|22/7|1/0|0/0|1/(1-1)|1000000/3|123456789.123456789|0.1+0.2|1/3*3|1e-30|1e-5|0.0000001|123456789012345678901234567890|9999999999999|0.1^20|-0|-1/3|-5
3 squared|2 cubed|two plus two|2 plus 3|2 minus 3|2 times 3|2 multiplied by 3|6 divided by 3|6 over 3|2 to the power of 3|square root of 9|cube root of 27|half of 10|double 5|3 x 4|3x4|3×4|8÷2|3·4|5−2|2²|2³|½|1/2 of 10|what is 2+2|2+2?|2+2=|=2+2|2+2=4|(((1)))|[1+2]*3|{1}|1;2|a|sin|sin 0|sin 30|f(2)|2#3|"2"|$5+$5|5€|  7  |`, "\n")
	var out strings.Builder
	for _, line := range expressions {
		for expression := range strings.SplitSeq(line, "|") {
			result, err := evaluate(expression)
			if err != nil {
				result = "! " + strings.ReplaceAll(err.Error(), "\n", " / ")
			}
			fmt.Fprintf(&out, "%s -> %s\n", expression, result)
		}
	}
	for _, length := range []int{1000, 1001} {
		_, err := evaluate(strings.Repeat("1", length-2) + "+1")
		fmt.Fprintf(&out, "%d signs: %v\n", length, err)
	}
	for _, depth := range []int{10, 50, 99, 100, 101, 150, 199, 200, 201} {
		_, brackets := evaluate(strings.Repeat("(", depth) + "1" + strings.Repeat(")", depth))
		_, powers := evaluate("1" + strings.Repeat("^1", depth))
		_, roots := evaluate(strings.Repeat("√", depth) + "1")
		fmt.Fprintf(&out, "%d deep: brackets %v, powers %v, roots %v\n", depth, brackets, powers, roots)
	}
	goldentest.Assert(t, "sums.golden", out.String(), os.Getenv("UPDATE_GOLDEN") != "")
}
