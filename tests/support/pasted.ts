/** What word processors and web pages put on the clipboard, and what becomes of it in a story. */
export const pasted: [from: string, html: string, story: string][] = [
  [
    "Google Docs",
    `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr" style="line-height:1.38">
<span style="font-size:20pt;font-family:Arial;font-weight:700">The sea</span></h1><p dir="ltr"><span style="font-weight:400">We went </span>
<span style="font-weight:700">every</span><span style="font-style:italic"> August</span><span>.</span></p><br />
<ul style="margin-top:0"><li dir="ltr" style="list-style-type:disc"><p dir="ltr" role="presentation"><span>Buckets</span></p></li></ul></b>`,
    "<h2>The sea</h2><p>We went <strong>every</strong><em> August</em>.</p><ul><li><p>Buckets</p></li></ul>",
  ],
  [
    "Word",
    `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body lang=EN-GB>
<!--StartFragment--><p class=MsoNormal style='margin-bottom:0'><b>Bold</b><o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span><![endif]>Soup<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o<span>&nbsp;</span></span>Twice</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp;</span></span>Bread</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span>First</p><!--EndFragment--></body></html>`,
    "<p><strong>Bold</strong></p><ul><li><p>Soup</p><ul><li><p>Twice</p></li></ul></li><li><p>Bread</p></li></ul><ol><li><p>First</p></li></ol>",
  ],
  [
    "a web page",
    `<div class="post" onclick="hit()"><h4 style="color:red">A walk</h4><p>It <i>rained</i>. <a href="http://example.com/x?a=1&amp;b=2" target="_blank" class="y">Here</a>
 <a href="javascript:hit()">there</a> <a href="/local">and</a></p><img src="https://example.com/x.jpg" onerror="hit()"><script>hit()</script>
<blockquote cite="x"><p>Bring soup.</p></blockquote><table><tr><td>one</td><td>two</td></tr></table></div>`,
    '<h3>A walk</h3><p>It <em>rained</em>. <a href="https://example.com/x?a=1&amp;b=2" rel="noopener noreferrer nofollow">Here</a> there and</p>' +
      "<blockquote><p>Bring soup.</p></blockquote><p>one</p><p>two</p>",
  ],
];
