package syntax
import ("testing";"fmt";"os";"strings")
func dump(text string, n *Node, ind string) { if n==nil {fmt.Println("nil");return}
 fmt.Printf("%s%s %q key=%q val=%q text=%q sh=%v\n", ind, n.Kind, n.Name, text[n.Key.Start:n.Key.End], text[n.Value.Start:n.Value.End], n.Text, n.Shared)
 for _,c:=range n.Nodes {dump(text,c,ind+"  ")}}
func TestZZ(t *testing.T){
 for _,s:=range []string{
  "# c\na = 1 # x\nb.c = \"x\\ty\"\n[t]\nx=[1, [2], {a=1, b.c=2}]\n[t.u.v]\nd=2024-01-01T00:00:00Z\n[[arr]]\na=1\n[arr.sub]\n[[arr]]\n'q'='''\nx'''\n[t.u]\n",
  "a = npx", "a =", "a", "a b", "a = \"x", "a=[1,2\nb=3", "a=[1,2", "a: 1", "a = don't", "[a]\nb=1\n[a]", "a=1\na=2", "a.b=1\n[a]", "a=\"C:\\Users\"", "a=\"C:\\Tools\"", "<<<<<<< HEAD\na=1", "a = 'x' y", "= 1", "[a", "[a\nb=1", "[[a]\n", "a = 20s", "a=1.2.3", "a={b=1", "a={b=1,,}", "a=]", "a=[1}", "a=\"\x01\"", "a=01", "a=True", "a=-x","\ufeffa=1","", "a=1\r",
 }{
  tr,err:=ParseTOML(NewFile("x",[]byte(s)))
  if err!=nil { if e,ok:=err.(*Error);ok {fmt.Printf("%q: %q: %s\n", s, s[e.Span.Start:e.Span.End], e.Message)} else {fmt.Println(s,err)}; continue}
  fmt.Printf("%q bom=%v comments=%v\n",s,tr.BOM,tr.Comments); dump(s,tr.Root,"  ")
 }
 _=os.Args;_=strings.Repeat
}
