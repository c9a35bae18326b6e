-- Raw photos of cameras, JPEG XL, JPEG 2000, BMP and Photoshop pictures are kept and shown.
update storage.buckets set allowed_mime_types = allowed_mime_types || '{image/jxl,image/jp2,image/j2c,image/bmp,image/vnd.adobe.photoshop,image/x-dng,image/x-cr2,image/x-cr3,image/x-crw,image/x-nef,image/x-arw,image/x-raf,image/x-orf,image/x-rw2,image/x-pef,image/x-srw,image/x-3fr,image/x-iiq,image/x-erf,image/x-dcr,image/x-mos,image/x-mef,image/x-x3f,image/x-mrw,image/x-raw}'
where id = 'media';
